import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { QueryError } from '@/api/error'
import { QueryAlert } from '@/api/Loaded'
import { Button, Flex, Input, Name, Text } from '@/ui'
import { onEnter } from '@/ui/onEnter'
import { type FieldProps, FormField, useField } from './FormField'

/** A thing that is found by its name. */
export interface NamedThing {
  _id: string
  name: string
}

/** The value of a field in which a thing is chosen by its name. */
export interface LookupEntry {
  /** What the field shows: the name of the chosen thing, or a text for which none is chosen yet. */
  typed: string
  chosen: NamedThing | null
}

/** Returns the value of a field in which a thing is chosen, or nothing. */
export const lookupEntry = (chosen: NamedThing | null): LookupEntry => ({ typed: chosen?.name ?? '', chosen })

/** How many things a search asks for. */
export const LOOKUP_LIMIT = 5

/** What a search for a name has found. */
export interface Lookup<Thing> {
  found: Thing[] | undefined
  error: QueryError
  refetch: () => unknown
}

type Props<Values extends FieldValues, Thing extends NamedThing> = FieldProps<Values, LookupEntry> & {
  /** The search for what useLookupName returns; null for none. */
  search: Lookup<Thing> | null
  /** States that nothing has the name. */
  none: string
  /** What an empty field means, such as 'All maps'. Its button empties the field. */
  allText?: string
  /** How a thing that was found is shown, by default by its name. */
  children?: (thing: Thing) => ReactNode
}

const MIN_NAME = 2
const SEARCH_AFTER_MS = 250

/**
 * A thing that is found by its name and chosen from those found. Another text drops the choice. Enter chooses the only
 * thing that was found, and never submits the form.
 */
export function LookupField<Values extends FieldValues, Thing extends NamedThing>(props: Props<Values, Thing>) {
  const { label, help, search, none, allText, children = ({ name }) => <Name>{name}</Name> } = props
  const { value, change, error, disabled } = useField<Values, LookupEntry>(props)
  const { typed, chosen } = value
  const input = useRef<HTMLInputElement>(null)
  const found = search?.found
  const enter = (thing: Thing | null) => {
    // The button is removed and would lose the focus.
    input.current?.focus()
    change(lookupEntry(thing))
  }
  return (
    <FormField
      label={label}
      help={help}
      error={error}
      disabled={disabled}
      after={
        <>
          {(chosen || (allText && typed)) && (
            <Flex align="center" gap="3" wrap="wrap">
              {chosen && <Text role="status">{t`Chosen: ${typed}`}</Text>}
              {allText && (
                <Button size="xs" variant="outline" disabled={disabled} onClick={() => enter(null)}>
                  {allText}
                </Button>
              )}
            </Flex>
          )}
          {search?.error && <QueryAlert query={search} />}
          {found?.length === 0 && (
            <Text role="status" color="fg.muted">
              {none}
            </Text>
          )}
          {found && found.length > 0 && (
            <Flex as="ul" direction="column" align="flex-start" gap="1" aria-label={t`Found`}>
              {found.map((thing) => (
                <li key={thing._id}>
                  <Button size="sm" variant="ghost" disabled={disabled} onClick={() => enter(thing)}>
                    {children(thing)}
                  </Button>
                </li>
              ))}
            </Flex>
          )}
        </>
      }
    >
      <Input
        ref={input}
        type="search"
        bg="bg.panel"
        autoComplete="off"
        placeholder={allText}
        value={typed}
        onChange={({ target }) => change({ typed: target.value, chosen: null })}
        onKeyDown={(event) => onEnter(event, () => found?.length === 1 && found[0] && enter(found[0]))}
      />
    </FormField>
  )
}

/** Returns the name that the field's thing is searched for by; null while there is none, or one is chosen. */
export function useLookupName<Values extends FieldValues>(
  props: Pick<FieldProps<Values, LookupEntry>, 'control' | 'name'>,
): string | null {
  const { typed, chosen } = useField<Values, LookupEntry>(props).value
  const settled = useSettled(typed)
  const name = typed.trim()
  return !chosen && settled === typed && name.length >= MIN_NAME ? name : null
}

/** Returns a text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
