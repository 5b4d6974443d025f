import { type ClipboardEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import { useVerifyCodeMutation } from '@/shared/api'
import { Button } from '@/shared/components/Button'
import { cx } from '@/shared/lib/cx'
import { loggedIn } from '@/shared/session/sessionSlice'
import styles from './CodeEntry.module.css'
import { refusalText } from './refusalText'

const LENGTH = 6
const SUBMIT_AFTER_MS = 300

interface Props {
  sessionId: string
  onSuccess: () => void
  onRefused: () => void
}

// CodeEntry takes the six digits that the room's chat tells, and submits them shortly after the last. It is one text field
// that looks like six: digits typed fast, pasted or filled in by the browser cannot get lost between fields.
export function CodeEntry({ sessionId, onSuccess, onRefused }: Props) {
  const dispatch = useDispatch()
  const [verify, { isLoading }] = useVerifyCodeMutation()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const submitting = useRef(false)

  useLayoutEffect(() => field.current?.focus(), [])
  useEffect(() => () => clearTimeout(timer.current), [])

  const submit = async (complete: string) => {
    clearTimeout(timer.current)
    if (submitting.current) return
    submitting.current = true
    setProblem(null)
    try {
      const { accessToken, player } = await verify({ codeEntry: { sessionId, code: complete } }).unwrap()
      onSuccess()
      dispatch(loggedIn({ accessToken, user: player }))
    } catch (refusal) {
      setProblem(refusalText(refusal))
      setCode('')
      field.current?.focus()
      onRefused()
    } finally {
      submitting.current = false
    }
  }

  const enter = (text: string) => {
    const digits = codeIn(text)
    setCode(digits)
    clearTimeout(timer.current)
    if (digits.length === LENGTH) timer.current = setTimeout(() => submit(digits), SUBMIT_AFTER_MS)
  }

  // A whole code takes the place of what was there, wherever the caret stands.
  const paste = (event: ClipboardEvent) => {
    const digits = codeIn(event.clipboardData.getData('text/plain'))
    if (digits.length < LENGTH || isLoading) return
    event.preventDefault()
    enter(digits)
  }

  return (
    <form
      aria-label="Verification code"
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (code.length === LENGTH) void submit(code)
      }}
    >
      <label htmlFor={id} className={styles.label}>
        Enter the 6-digit code
      </label>
      <div className={styles.entry}>
        <div className={styles.places} aria-hidden="true">
          {Array.from({ length: LENGTH }, (_, i) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a place has nothing but its number
              key={i}
              className={cx(
                styles.place,
                problem !== null && styles.refused,
                i === Math.min(code.length, LENGTH - 1) && styles.next,
              )}
            />
          ))}
        </div>
        <input
          ref={field}
          id={id}
          className={styles.digits}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-problem`}
          readOnly={isLoading}
          value={code}
          onChange={(event) => enter(event.target.value)}
          onPaste={paste}
        />
      </div>
      <p id={`${id}-problem`} role="alert" className={styles.problem}>
        {problem}
      </p>
      <Button type="submit" size="lg" busy={isLoading} disabled={code.length < LENGTH}>
        {isLoading ? 'Verifying…' : 'Verify'}
      </Button>
    </form>
  )
}

// codeIn finds the code in a line that was copied from a chat. Without six digits in a row it takes what digits there are,
// so that blanks between them do no harm.
function codeIn(text: string): string {
  const inARow = /(?<![0-9])[0-9]{6}(?![0-9])/.exec(text)
  return inARow?.[0] ?? text.replace(/[^0-9]/g, '').slice(0, LENGTH)
}
