import { useState } from 'react'

/**
 * Returns why the last file could not be taken, and a function that reports it together with the value that the field has
 * in place of the file. The report ends with the next change of the field.
 */
export function useRejection<Value>(value: Value): [string | null, (text: string, value: Value) => void] {
  const [rejection, setRejection] = useState<{ text: string; value: Value } | null>(null)
  if (rejection && rejection.value !== value) setRejection(null)
  return [rejection?.text ?? null, (text, value) => setRejection({ text, value })]
}
