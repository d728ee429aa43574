// pi's compactions and branch summaries, made by recapd. Whatever fails here, pi makes its own as if this were not there.
import type { ExtensionAPI } from '@earendil-works/pi-coding-agent'

const RECAPD_URL = process.env['RECAPD_URL'] ?? 'http://127.0.0.1:8484'

export default function recapd(pi: ExtensionAPI): void {
  pi.on('session_before_compact', async ({ preparation, branchEntries, customInstructions, signal }) => {
    const { reserveTokens, keepRecentTokens } = preparation.settings
    const body = { entries: branchEntries, customInstructions, settings: { reserveTokens, keepRecentTokens } }
    const { entry } = (await ask('/compact', body, signal)) ?? {}
    if (!entry) return undefined
    const { summary, firstKeptEntryId, tokensBefore, details } = entry
    return { compaction: { summary, firstKeptEntryId, tokensBefore, details } }
  })

  pi.on('session_before_tree', async ({ preparation, signal }, { sessionManager }) => {
    const { oldLeafId, targetId, userWantsSummary, customInstructions } = preparation
    if (!userWantsSummary) return undefined
    const body = { entries: sessionManager.getEntries(), oldLeafId, targetId, customInstructions }
    const { entry } = (await ask('/branch-summary', body, signal)) ?? {}
    return entry ? { summary: { summary: entry.summary, details: entry.details } } : undefined
  })
}

async function ask(path: string, body: object, signal: AbortSignal) {
  try {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(RECAPD_URL + path, { method: 'POST', headers, body: JSON.stringify(body), signal })
    return answer.ok ? await answer.json() : undefined
  } catch {
    return undefined
  }
}
