import { valibotResolver } from '@hookform/resolvers/valibot'
import { useEffect, useState } from 'react'
import {
  type DefaultValues,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
  useForm as useHookForm,
} from 'react-hook-form'
import type { GenericSchema } from 'valibot'
import { selectSession, type User } from '@/session/session'
import { useAppStore, useSession } from '@/store/hooks'
import { type Draft, openDraft } from './draft'

interface Options<Values extends FieldValues, Output> {
  /** Returns the rules of the form; they may depend on what is entered and on who sends it. */
  schema: (values: Values, player: User | null) => GenericSchema<unknown, Output>
  /** The values of the empty form. Its fields are those named here. */
  defaultValues: Values
  /** The part of the values that is kept over a reload. */
  draft?: Draft
}

/** A form of the site: that of react-hook-form, with the player and the draft. */
export interface SiteForm<Values extends FieldValues, Output> extends UseFormReturn<Values, unknown, Output> {
  /** The player who is logged in, or was before the session ended while the form was open. */
  player: User | null
  removeDraft: () => void
}

/** Returns the state of a form, which is checked by its schema when it is sent, and then at each change. */
export function useForm<Values extends FieldValues, Output>(
  options: Options<Values, Output>,
): SiteForm<Values, Output> {
  const store = useAppStore()
  const player = usePlayer()
  // The draft stays that of the player who opened the form.
  const [draft] = useState(() => options.draft && openDraft(options.draft, player, options.defaultValues))
  const resolver: Resolver<Values, unknown, Output> = (values, context, settings) => {
    const sender = selectSession(store.getState()) ?? player
    const schema = options.schema(values, sender) as GenericSchema<Values, Output>
    return valibotResolver<Values, unknown, Output>(schema)(values, context, settings)
  }
  const form = useHookForm<Values, unknown, Output>({
    resolver,
    defaultValues: { ...options.defaultValues, ...draft?.stored } as DefaultValues<Values>,
    criteriaMode: 'all',
    // The summary of the errors gets the focus.
    shouldFocusError: false,
  })
  const { subscribe } = form
  useEffect(
    () => draft && subscribe({ formState: { values: true }, callback: ({ values }) => draft.store(values) }),
    [draft, subscribe],
  )
  return { ...form, player, removeDraft: () => draft?.remove() }
}

function usePlayer(): User | null {
  const user = useSession()
  const [last, setLast] = useState(user)
  if (user && user !== last) setLast(user)
  return user ?? last
}
