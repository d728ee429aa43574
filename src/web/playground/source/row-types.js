// Made by scripts/write-playground-tables.ts from src/domain/dialects; change that one.

/** @type {Readonly<Record<string, string>>} */
export const DIALECT_OF_PART = {
  image_url: 'openai',
  video_url: 'openai',
  audio_url: 'openai',
  document_url: 'openai',
  document: 'anthropic',
  search_result: 'anthropic',
  redacted_thinking: 'anthropic',
  tool_use: 'anthropic',
  tool_result: 'anthropic',
  server_tool_use: 'anthropic',
  mcp_tool_use: 'anthropic',
  compaction: 'anthropic',
  tool_reference: 'anthropic',
  container_upload: 'anthropic',
  input_text: 'responses',
  output_text: 'responses',
  summary_text: 'responses',
  reasoning_text: 'responses',
  input_image: 'responses',
  computer_screenshot: 'responses',
  input_file: 'responses',
  audio: 'responses',
  encrypted_content: 'responses',
  reasoning: 'vercel',
  'redacted-reasoning': 'vercel',
  'tool-call': 'vercel',
  'tool-result': 'vercel',
  'tool-approval-request': 'vercel',
  'tool-approval-response': 'vercel',
}

/** @type {readonly unknown[]} */
export const RESPONSES_ITEMS = [
  'message',
  'reasoning',
  'compaction',
  'compaction_summary',
  'context_compaction',
  'compaction_trigger',
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'shell_call',
  'computer_call',
  'apply_patch_call',
  'tool_search_call',
  'mcp_approval_request',
  'function_call_output',
  'function_call_result',
  'custom_tool_call_output',
  'local_shell_call_output',
  'shell_call_output',
  'computer_call_output',
  'computer_call_result',
  'apply_patch_call_output',
  'tool_search_output',
  'mcp_approval_response',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
  'hosted_tool_call',
]

/** @type {readonly unknown[]} */
export const LANGCHAIN_TYPES = ['system', 'developer', 'human', 'user', 'ai', 'assistant', 'tool', 'function']

/** @type {readonly unknown[]} */
export const ROLLOUT_TYPES = ['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']
