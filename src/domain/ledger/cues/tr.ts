import type { CueSet } from './cue-set.ts'
import { opening, words } from './edges.ts'
import { phrases } from './phrases.ts'

export const TR: CueSet = {
  lead: phrases('lütfen | ve | ama | ayrıca | veya | dikkat | not | önemli | şimdi | unutma'),
  done: phrases(
    'tamam | tamamlandı | bitti | düzelttim | düzeltildi | ekledim | eklendi | oluşturdum | güncelledim | kaldırdım | tüm testler geçiyor | testler geçiyor',
  ),
  intent: phrases('şimdi | önce | başlıyorum | bakıyorum | kontrol ediyorum | sıradaki'),
  decision: phrases('karar verdim | karar verdik | seçtim | seçtik | kullanacağız | kullanacağım | kararımız'),
  next: phrases('sonra | ardından | daha sonra | kalan | sıradaki adım | bir sonraki adım | yapılacak'),
  labels: {
    decision: phrases('karar | kararlar'),
    next: phrases('sonraki adımlar | sonraki adım | yapılacaklar | kalan işler | kalanlar'),
    blocked: phrases('engel | engellendi | engeller'),
    constraint: phrases('kısıt | kısıtlar | kural | kurallar | gereksinimler | önemli'),
    done: phrases('yapılanlar | tamamlandı | değişiklikler | özet'),
  },
  trivial: phrases(
    'evet | hayır | tamam | olur | teşekkürler | sağ ol | devam | devam et | peki | harika | mükemmel | merhaba | selam | yap',
  ),
  prohibition: words(
    'asla|\\p{L}{1,30}m(?:eyelim|ayalım)|hiçbir (?:zaman|koşulda|şekilde|durumda)|sakın|yasak|kesinlikle [^.!?\\n]{0,80}m[ae]|(?:dokun|değiştir|sil|ekle|kullan|yap|kaldır|yaz|gönder|boz|oluştur|taşı|çalıştır|yayınla|unut)m[ae](?:y[ıi]n(?:[ıi]z)?)?',
  ),
  obligation: words(
    'her zaman|daima|mutlaka|zorunlu(?:dur)?|gerek(?:ir|li|iyor)|şart|(?:yalnızca|sadece) [^.!?\\n]{1,60} kullan(?:[ıi]n)?|emin ol(?:un)?|meli(?:sin|siniz|dir)?|malı(?:sın|dır)?',
  ),
  convention: words(
    '(?:proje|depo|kod|renk|commit|isimlendirme|adlandırma|dal|ekip) (?:kural(?:ı|ları)|standar(?:dı|tları))',
  ),
  finding: words('meğer|sorunun (?:kaynağı|nedeni)|sorun şu|buldum|doğrulandı|yeniden üretemiyorum'),
  dismissal: words('önceden (?:vardı|var olan)|ilgisi yok|ilgili değil'),
  undo: words('geri al(?:ın)?|eski haline (?:getir|döndür)'),
  lifting: words(
    'artık [^.!?\\n]{0,80}(?:abilirsin|ebilirsin|abilirsiniz|ebilirsiniz|serbest|gerek yok|geçerli değil)|(?:\\p{L}{2,20})?[ae]bilirsin(?:iz)?|yasak (?:kalktı|bitti)|kuralı (?:unut|boşver)',
  ),
  choice: opening(
    'hayır|yanlış|öyle değil|kullan|al|tut|bırak|kalsın|olsun|yerine|sadece|yalnızca|tercih|istiyorum|ilk(?:i|ini)?|ikinci(?:si|yi)?|üçüncü(?:sü|yü)?|ikisi de|seçenek \\S{1,40}|evet,? ama|boşver|gerek yok',
  ),
  reason: words(
    'yerine|\\p{L}{2,30} değil,|çözüm (?:şu|olarak)|böylece|karar verdi(?:m|k)|seçti(?:m|k)|tercih etti(?:m|k)|çünkü|bilerek',
  ),
}
