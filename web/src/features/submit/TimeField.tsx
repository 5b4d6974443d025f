import { Field } from '@chakra-ui/react'
import { type ChangeEvent, type ClipboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { formatTime, parseTime } from '@/entities/record/raceTime'
import { Input } from '@/ui'
import { caretIn, maskTime } from './timeMask'

interface Props {
  label: ReactNode
  hint?: string | undefined
  error?: string | null
  value: string
  readOnly?: boolean
  disabled?: boolean
  onValue?: (value: string) => void
}

/** A time in the mask MM:SS.CC. Its value may be incomplete. */
export function TimeField({ label, hint, error = null, value, readOnly, disabled, onValue }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)

  useLayoutEffect(() => {
    if (caret.current === null) return
    input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    caret.current = caretIn(target.value.slice(0, target.selectionStart ?? target.value.length))
    onValue?.(maskTime(target.value))
  }

  // A complete time is taken as a time, not as digits: 1:02.5 would fall into other places.
  const paste = (event: ClipboardEvent) => {
    const ms = parseTime(event.clipboardData.getData('text').trim())
    if (ms === null || readOnly) return
    event.preventDefault()
    onValue?.(formatTime(ms))
  }

  return (
    <Field.Root readOnly={readOnly} disabled={disabled} invalid={error !== null}>
      <Field.Label>{label}</Field.Label>
      <Input
        ref={input}
        value={value}
        placeholder="MM:SS.CC"
        inputMode="numeric"
        autoComplete="off"
        fontVariantNumeric="tabular-nums"
        bg="bg.panel"
        _readOnly={{ bg: 'bg.muted' }}
        onChange={change}
        onPaste={paste}
      />
      {hint && <Field.HelperText>{hint}</Field.HelperText>}
      <Field.ErrorText role="alert">{error}</Field.ErrorText>
    </Field.Root>
  )
}
