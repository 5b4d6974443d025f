import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ClipboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useVerifyCodeMutation } from '@/api'
import { loggedIn } from '@/session/session'
import { useAppStore } from '@/store/hooks'
import { Box, Button, Field, Stack, styled } from '@/ui'
import { range } from '@/ui/lists'
import { followAccount } from './followAccount'
import { refusalText } from './refusalText'

const LENGTH = 6
const SUBMIT_AFTER_MS = 300

interface Props {
  sessionId: string
  onSuccess: () => void
  onRefused: () => void
}

/**
 * Takes the six digits of the code, and submits them 300 ms after the last. It is one text field that looks like six, and
 * not Chakra's PinInput: digits typed fast, pasted or filled in by the browser cannot get lost between fields.
 */
export function CodeEntry({ sessionId, onSuccess, onRefused }: Props) {
  const store = useAppStore()
  const [verify, { isLoading }] = useVerifyCodeMutation()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const submitting = useRef(false)

  useLayoutEffect(() => field.current?.focus(), [])
  useEffect(() => () => clearTimeout(timer.current), [])

  const submit = async (complete: string) => {
    clearTimeout(timer.current)
    if (submitting.current) return
    submitting.current = true
    setError(null)
    const { data, error } = await verify({ codeEntry: { sessionId, code: complete } })
    submitting.current = false
    if (data) {
      onSuccess()
      store.dispatch(loggedIn({ accessToken: data.accessToken, user: data.player }))
      void followAccount(store)
      return
    }
    setError(refusalText(error))
    setCode('')
    field.current?.focus()
    onRefused()
  }

  const enter = (text: string) => {
    const digits = codeIn(text)
    setCode(digits)
    clearTimeout(timer.current)
    if (digits.length === LENGTH) timer.current = setTimeout(() => submit(digits), SUBMIT_AFTER_MS)
  }

  // A pasted code replaces what was typed, wherever the caret is.
  const paste = (event: ClipboardEvent) => {
    const digits = codeIn(event.clipboardData.getData('text/plain'))
    if (digits.length < LENGTH || isLoading) return
    event.preventDefault()
    enter(digits)
  }

  return (
    <form
      aria-label={t`Verification code`}
      onSubmit={(event) => {
        event.preventDefault()
        if (code.length === LENGTH) void submit(code)
      }}
    >
      <Stack gap="3" align="center">
        <Field.Root invalid={error !== null} readOnly={isLoading} gap="3" alignItems="center">
          <Field.Label>{t`Enter the 6-digit code`}</Field.Label>
          <Entry data-entry>
            <Box
              position="absolute"
              inset="0"
              display="grid"
              gridTemplateColumns="repeat(6, var(--place))"
              gap="var(--gap)"
              aria-hidden="true"
            >
              {range(LENGTH).map((i) => (
                <Place
                  key={i}
                  refused={error !== null}
                  data-next={i === Math.min(code.length, LENGTH - 1) || undefined}
                />
              ))}
            </Box>
            <Digits
              ref={field}
              inputMode="numeric"
              autoComplete="one-time-code"
              spellCheck={false}
              value={code}
              onChange={(event) => enter(event.target.value)}
              onPaste={paste}
            />
          </Entry>
          <Box minH="6">
            <Field.ErrorText role="alert" textStyle="md" fontWeight="normal" textAlign="center">
              {error}
            </Field.ErrorText>
          </Box>
        </Field.Root>
        <Button type="submit" size="lg" loading={isLoading} loadingText={t`Verifying…`} disabled={code.length < LENGTH}>
          <Trans>Verify</Trans>
        </Button>
      </Stack>
    </form>
  )
}

// All digits of this font are as wide as its 0, which is 1ch.
const Entry = styled('div', {
  base: {
    '--place': { base: 'min(2.5rem, (100vw - 6rem) / 7)', sm: '3rem' },
    '--gap': { base: '0.375rem', sm: '0.5rem' },
    position: 'relative',
    overflow: 'clip',
    w: 'calc(6 * var(--place) + 5 * var(--gap))',
    h: { base: '11', sm: '12' },
    fontFamily: 'mono',
    fontSize: 'xl',
  },
})

const Place = styled('span', {
  base: {
    borderWidth: '1px',
    borderColor: 'border.emphasized',
    rounded: 'l2',
    bg: 'bg',
    '&[data-next]': {
      '[data-entry]:focus-within &': {
        borderColor: 'brand.focusRing',
        outline: '1px solid',
        outlineColor: 'brand.focusRing',
        outlineOffset: '-2px',
      },
    },
  },
  variants: { refused: { true: { borderColor: 'fg.error' } } },
})

// It covers the places, with each digit in the middle of one; the caret after the last is clipped.
const Digits = styled(Field.Input, {
  base: {
    position: 'relative',
    w: 'calc(7 * (var(--place) + var(--gap)))',
    h: 'full',
    p: '0',
    ps: 'calc((var(--place) - 1ch) / 2)',
    borderWidth: '0',
    outline: 'none',
    bg: 'transparent',
    letterSpacing: 'calc(var(--place) + var(--gap) - 1ch)',
  },
})

/** Returns the six digits in a row of a text, else all of its digits, so that spaces between them do no harm. */
function codeIn(text: string): string {
  const inARow = /(?<![0-9])[0-9]{6}(?![0-9])/.exec(text)
  return inARow?.[0] ?? text.replace(/[^0-9]/g, '').slice(0, LENGTH)
}
