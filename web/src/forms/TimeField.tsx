import { t } from '@lingui/core/macro'
import { type ChangeEvent, type ClipboardEvent, useLayoutEffect, useRef } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { formatTime, parseTime } from '@/entities/record/raceTime'
import { Input } from '@/ui'
import { type FieldProps, FormField, useField } from './FormField'

type Props<Values extends FieldValues> = FieldProps<Values, string> & {
  readOnly?: boolean
  /** The fields whose rules depend on this one. */
  dependents?: FieldPath<Values>[]
}

/** A time in the mask MM:SS.CC. Its value is the text, which may be incomplete. */
export function TimeField<Values extends FieldValues>(props: Props<Values>) {
  const { label, help, readOnly, dependents } = props
  const { value, change, error, disabled } = useField<Values, string>(props, { deps: dependents })
  const input = useRef<HTMLInputElement>(null)
  const caret = useRef<number | null>(null)

  useLayoutEffect(() => {
    if (caret.current === null) return
    input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  const type = ({ target }: ChangeEvent<HTMLInputElement>) => {
    caret.current = caretIn(target.value.slice(0, target.selectionStart ?? target.value.length))
    change(maskTime(target.value))
  }

  // A complete time is taken as a time, not as digits: 1:02.5 would fall into other places.
  const paste = (event: ClipboardEvent) => {
    const ms = parseTime(event.clipboardData.getData('text').trim())
    if (ms === null || readOnly) return
    event.preventDefault()
    change(formatTime(ms))
  }

  return (
    <FormField label={label} help={help} error={error} readOnly={readOnly} disabled={disabled}>
      <Input
        ref={input}
        value={value}
        placeholder={t`MM:SS.CC`}
        inputMode="numeric"
        autoComplete="off"
        fontVariantNumeric="tabular-nums"
        bg="bg.panel"
        _readOnly={{ bg: 'bg.muted' }}
        onChange={type}
        onPaste={paste}
      />
    </FormField>
  )
}

const MASK = '__:__.__'
const DIGITS = 6

/** Puts typed digits into the mask MM:SS.CC; an open place is an underscore. */
export function maskTime(typed: string): string {
  const digits = digitsOf(typed)
  if (digits === '') return ''
  let at = 0
  return MASK.replace(/_/g, () => digits[at++] ?? '_')
}

/** Returns the position of the caret in a masked time, given what was before it in the typed text. */
export function caretIn(beforeCaret: string): number {
  const digits = digitsOf(beforeCaret).length
  return digits + (digits > 2 ? 1 : 0) + (digits > 4 ? 1 : 0)
}

const digitsOf = (text: string) => text.replace(/[^0-9]/g, '').slice(0, DIGITS)
