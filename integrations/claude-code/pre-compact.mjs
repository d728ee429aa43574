#!/usr/bin/env node
// A PreCompact hook of Claude Code: what it prints is added to the instructions of Claude's own compaction. It prints what
// recapd found worth keeping. Whatever fails, it prints nothing and ends with 0, and Claude compacts as it always does.
import { readFile } from 'node:fs/promises'

const RECAPD_URL = process.env.RECAPD_URL ?? 'http://127.0.0.1:8484'
const TIMEOUT_MS = 170_000

try {
  const { transcript_path: transcript, custom_instructions: focus } = JSON.parse(await text(process.stdin))
  const query = new URLSearchParams({ force: 'true', 'protect.first': '0', 'protect.last': '0' })
  if (focus) query.set('customInstructions', focus)
  const answer = await fetch(`${RECAPD_URL}/compact?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: await readFile(transcript),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const { summary } = answer.ok ? await answer.json() : {}
  if (summary)
    console.log(`Your summary must keep all of these facts, which were checked against the transcript:\n\n${summary}`)
} catch {
  // Nothing printed: nothing changes for Claude.
}

async function text(stream) {
  let all = ''
  for await (const chunk of stream) all += chunk
  return all
}
