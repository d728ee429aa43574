const CONTROL_OR_DIRECTION = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

/** Whether a text holds what no prompt and no answer may: control characters, lone surrogates, marks of writing direction. */
export function isDirty(text: string): boolean {
  return !text.isWellFormed() || CONTROL_OR_DIRECTION.test(text)
}
