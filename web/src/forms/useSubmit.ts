import { t } from '@lingui/core/macro'
import { useEffect, useId, useRef, useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { type QueryError, refusalOf } from '@/api/error'
import { refreshSession } from '@/api/refresh'
import { selectSession, type User } from '@/session/session'
import { useAppStore } from '@/store/hooks'
import { toaster } from '@/ui/toaster'
import { messagesOf, refusedFields } from './errors'
import type { SiteForm } from './useForm'

/** Where a player can go on from a refusal, such as to the record that exists already. */
export interface NextStep {
  to: string
  label: string
  /** A sentence before the link. */
  explanation?: string
}

/** The result of sending a form: a message with the next page, where there is one, or the error with the next step. */
export type Outcome =
  | { message: string; description?: string | undefined; to?: string; state?: object }
  | { error: QueryError; nextStep?: NextStep | null }

interface Texts {
  /** The text of a refusal without one. */
  fallback: string
  /** The text where no answer came, if it is another. */
  unreachable?: string
  /** The title of a toast that reports a failure while the form is shown, too. */
  toast?: string
  /** The error of a visitor whose session has ended. */
  loginRequired: string
  /** Returns the field that a refusal with this code is about. */
  fieldOf?: (code: string) => string | undefined
}

/**
 * Sends a form, once at a time, after its rules accept it. A player who leaves the page meanwhile gets the result as a
 * toast and stays where they are.
 */
export function useSubmit<Values extends FieldValues, Output>(
  form: SiteForm<Values, Output>,
  send: (values: Output, player: User) => Promise<Outcome>,
  { fallback, unreachable = fallback, toast, loginRequired, fieldOf }: Texts,
) {
  const store = useAppStore()
  const navigate = useNavigate()
  const running = useRef(false)
  const isMounted = useIsMounted()
  const [sending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<{ id: number; nextStep: NextStep | null }>({ id: 0, nextStep: null })

  // What an attempt was refused for is outdated with the next one.
  const formId = useId()
  const toastOf = (attempt: number) => `${formId} ${attempt}`
  const id = toastOf(refusal.id)

  // The summary of the form announces what a toast repeats.
  const refuseLocally = (errors: string[], player: User | null) => {
    if (!player) form.setError('root', { type: 'login', message: loginRequired })
    const messages = player ? errors : [loginRequired, ...errors]
    toaster.warning({ id, title: t`Validation Error`, description: messages.join('\n'), silent: true })
  }

  const refuseUnchecked = () => {
    const message = t`Your login cannot be checked right now. Please try again.`
    form.setError('root', { type: 'server', message, types: { server: [message] } })
    if (toast || !isMounted()) {
      toaster.error({ id, title: toast ?? fallback, description: message, silent: isMounted() })
    }
  }

  const refuse = (error: QueryError) => {
    const refused = refusalOf(error)
    const fields = refused
      ? refusedFields(refused, form.getValues(), { fallback, fieldOf })
      : new Map([['root', [unreachable]]])
    for (const [name, messages] of fields) {
      const [message = fallback] = messages
      form.setError(name as FieldPath<Values>, { type: 'server', message, types: { server: messages } })
    }
    if (isMounted() && !toast) return
    const reasons = [...fields.values()].flat().filter((message) => message !== fallback && message !== unreachable)
    toaster.error({ id, title: toast ?? fallback, description: reasons.join('\n'), silent: isMounted() })
  }

  const finish = ({ message: title, description, to, state }: Extract<Outcome, { message: string }>) => {
    form.removeDraft()
    toaster.success(description ? { title, description } : { title })
    if (to && isMounted()) navigate(to, { state })
  }

  const submit = async () => {
    // State would be too late for the second of two quick clicks.
    if (running.current) return
    running.current = true
    toaster.dismiss(toastOf(refusal.id - 1))
    setSending(true)
    let nextStep: NextStep | null | undefined
    try {
      // A session that ended here, but not in another tab, is restored first.
      const outcome = selectSession(store.getState()) ? 'refreshed' : await refreshSession(store)
      if (outcome === 'unreachable') return refuseUnchecked()
      const player = selectSession(store.getState())
      const sendValid = async (values: Output) => {
        if (!player) return refuseLocally([], null)
        const sent = await send(values, player)
        if ('message' in sent) return finish(sent)
        nextStep = sent.nextStep
        refuse(sent.error)
      }
      await form.handleSubmit(sendValid, (errors) => refuseLocally(messagesOf(errors), player))()
    } finally {
      running.current = false
      setSending(false)
      setRefusal(({ id }) => ({ id: id + 1, nextStep: nextStep ?? null }))
    }
  }

  return { submit, sending, attempt: refusal.id, nextStep: refusal.nextStep }
}

/** Returns a function that reports whether the page is still shown. */
function useIsMounted(): () => boolean {
  const mounted = useRef(false)
  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])
  return () => mounted.current
}
