import { type GenericSchema, parse, safeParse } from 'valibot'
import type { User } from '@/session/session'
import { readStorage, writeStorage } from '@/ui/storage'

/** What of a form is kept in the tab, for the player who entered it, so that a reload does not lose it. */
export interface Draft {
  /** Names the form. */
  key: string
  /** Selects the values that are kept. Files cannot be: a browser gives them to a page once. */
  schema: GenericSchema<unknown, object>
}

/** Returns the stored values of a player's draft, and the functions that store and remove it. */
export function openDraft({ key, schema }: Draft, player: User | null, defaultValues: object) {
  const address = `capzone-${key}-draft-${player?._id}`
  const stored = parseDraft(readStorage('session', address), schema)
  let text = JSON.stringify(stored ?? parse(schema, defaultValues))
  return {
    stored,
    store: (values: unknown) => {
      const changed = JSON.stringify(parse(schema, values))
      // The form reports more than its values.
      if (changed === text) return
      text = changed
      writeStorage('session', address, text)
    },
    remove: () => writeStorage('session', address, null),
  }
}

function parseDraft(text: string | null, schema: Draft['schema']): object | undefined {
  try {
    const { success, output } = safeParse(schema, JSON.parse(text ?? 'null'))
    return success ? output : undefined
  } catch {
    // A malformed value counts as no draft.
    return undefined
  }
}
