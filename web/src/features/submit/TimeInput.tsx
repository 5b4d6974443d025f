import { Field, Input } from '@chakra-ui/react'
import { type ChangeEvent, type ClipboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { formatTime, parseTime } from '@/shared/lib/raceTime'
import { caretIn, maskTime } from './timeMask'

interface Props {
  label: ReactNode
  hint?: string
  value: string
  readOnly?: boolean
  disabled?: boolean
  invalid?: boolean
  onValue?: (value: string) => void
}

// TimeInput takes a time in the mask MM:SS.CC. Its value may be unfinished: parseTime tells.
export function TimeInput({ label, hint, value, readOnly, disabled, invalid, onValue }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)

  useLayoutEffect(() => {
    if (caret.current === null) return
    input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  const type = ({ target }: ChangeEvent<HTMLInputElement>) => {
    caret.current = caretIn(target.value.slice(0, target.selectionStart ?? target.value.length))
    onValue?.(maskTime(target.value))
  }

  // A whole time is taken as it is meant: 1:02.5 would fall into other places.
  const paste = (event: ClipboardEvent) => {
    const ms = parseTime(event.clipboardData.getData('text').trim())
    if (ms === null || readOnly) return
    event.preventDefault()
    onValue?.(formatTime(ms))
  }

  return (
    <Field.Root readOnly={readOnly} disabled={disabled} invalid={invalid}>
      <Field.Label>{label}</Field.Label>
      <Input
        ref={input}
        value={value}
        placeholder="MM:SS.CC"
        inputMode="numeric"
        autoComplete="off"
        fontVariantNumeric="tabular-nums"
        bg={readOnly ? 'bg.muted' : 'bg.panel'}
        onChange={type}
        onPaste={paste}
      />
      {hint && <Field.HelperText>{hint}</Field.HelperText>}
    </Field.Root>
  )
}
