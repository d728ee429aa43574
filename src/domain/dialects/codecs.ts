import { anthropicCodec } from './anthropic/codec.ts'
import { bedrockCodec } from './bedrock/codec.ts'
import type { Codec, Dialect } from './codec.ts'
import { geminiCodec } from './gemini/codec.ts'
import { langchainCodec } from './langchain/codec.ts'
import { openaiCodec } from './openai/codec.ts'
import { responsesCodec } from './responses/codec.ts'
import { vercelCodec } from './vercel/codec.ts'

export const CODECS: Readonly<Record<Dialect, Codec>> = {
  openai: openaiCodec,
  anthropic: anthropicCodec,
  responses: responsesCodec,
  vercel: vercelCodec,
  bedrock: bedrockCodec,
  gemini: geminiCodec,
  langchain: langchainCodec,
}
