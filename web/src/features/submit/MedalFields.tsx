import { Field } from '@chakra-ui/react'
import { type ChangeEvent, type ClipboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { MEDALS, MedalIcon } from '@/entities/record/Medal'
import { formatTime, parseTime } from '@/entities/record/raceTime'
import { Box, Grid, Heading, HStack, Input, Text } from '@/ui'
import { errorOf, type FormError, MEDAL_LABELS, type MedalEntries } from './rules'

interface Props {
  medals: MedalEntries
  disabled: boolean
  errors: readonly FormError[]
  onMedals: (medals: MedalEntries) => void
}

/** The medal times of a map, for its author. */
export function MedalFields({ medals, disabled, errors, onMedals }: Props) {
  return (
    <Box as="section" aria-labelledby="medal-times" borderWidth="1px" rounded="l3" bg="bg.panel" p="4">
      <Heading as="h2" id="medal-times" textStyle="lg">
        Medal times
      </Heading>
      <Text color="fg.muted" mb="4">
        You made this map: set what others have to beat. Medal times cannot be changed afterwards.
      </Text>
      <Grid columns={{ base: 1, sm: 2, lg: 4 }} gap="4">
        {MEDALS.map((medal) => (
          <TimeField
            key={medal}
            label={
              <HStack as="span" gap="1.5">
                <span aria-hidden="true">
                  <MedalIcon medal={medal} size={5} />
                </span>
                {MEDAL_LABELS[medal]}
              </HStack>
            }
            hint={medal === 'author' ? 'The finish time of your replay' : undefined}
            value={medals[medal]}
            readOnly={medal === 'author'}
            disabled={disabled}
            error={errorOf(errors, `medalTimes.${medal}`)}
            onValue={(value) => onMedals({ ...medals, [medal]: value })}
          />
        ))}
      </Grid>
    </Box>
  )
}

interface TimeProps {
  label: ReactNode
  hint?: string | undefined
  error?: string | null
  value: string
  readOnly?: boolean
  disabled?: boolean
  onValue?: (value: string) => void
}

/** A time in the mask MM:SS.CC. Its value may be incomplete. */
export function TimeField({ label, hint, error = null, value, readOnly, disabled, onValue }: TimeProps) {
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
