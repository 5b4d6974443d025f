import { useContext } from 'react'
import { type DataRouter, UNSAFE_DataRouterContext, useSearchParams } from 'react-router'

/** A setting in the query of an address. */
interface Setting<Value> {
  /** Reads its text, which is '' where the address has none; an invalid one counts as none. */
  parse: (text: string) => Value
  /** Writes its text; '' leaves it out. */
  format: (value: Value) => string
  /** Another setting begins without it, such as at the first page. */
  restarts?: boolean
}

/** The settings of a list by their names in its address. */
export type Settings<View> = { readonly [Name in keyof View]: Setting<View[Name]> }

/** What an address shows. */
export type ViewOf<All> = All extends Settings<infer View> ? View : never

const MAX_TEXT = 100

/** A text of the visitor. */
export const text = (maxLength = MAX_TEXT): Setting<string> => ({
  parse: (text) => text.trim().slice(0, maxLength),
  format: (value) => value,
})

/** One of a few choices. The fallback is not in the address. */
export const oneOf = <Choice extends string, Fallback extends Choice | ''>(
  choices: readonly Choice[],
  fallback: Fallback,
): Setting<Choice | Fallback> => ({
  parse: (text) => choices.find((choice) => choice === text) ?? fallback,
  format: (value) => (value === fallback ? '' : value),
})

/** Something that is on or off. */
export const flag = (on = 'true'): Setting<boolean> => ({
  parse: (text) => text === on,
  format: (value) => (value ? on : ''),
})

/** A page; anything but a whole number above 1 is the first. */
export const page: Setting<number> = {
  parse: (text) => (Number.isSafeInteger(Number(text)) && Number(text) > 1 ? Number(text) : 1),
  format: (value) => (value > 1 ? String(value) : ''),
  restarts: true,
}

/** The entry before which a page of a list without numbers begins; '' is the newest. */
export const before: Setting<string> = { ...text(), restarts: true }

const entriesOf = <View extends object>(settings: Settings<View>) =>
  Object.entries(settings) as [keyof View & string, Setting<View[keyof View]>][]

/** Reads the settings of an address. */
export const readAddress = <View extends object>(settings: Settings<View>, address: URLSearchParams): View =>
  Object.fromEntries(entriesOf(settings).map(([name, { parse }]) => [name, parse(address.get(name) ?? '')])) as View

/** Returns the address with changed settings. What else it has stays. */
export function changeAddress<View extends object>(
  settings: Settings<View>,
  address: URLSearchParams,
  change: Partial<View>,
): URLSearchParams {
  const view = readAddress(settings, address)
  const others = [...address].filter(([name]) => !(name in settings))
  const changed = new URLSearchParams(others)
  for (const [name, { format, parse, restarts }] of entriesOf(settings)) {
    const value = name in change ? (change[name] as View[typeof name]) : restarts ? parse('') : view[name]
    const text = format(value)
    if (text) changed.set(name, text)
  }
  return changed
}

/** Returns the settings that are set, as a request has them. */
export const setOf = <View extends object>(view: View) =>
  Object.fromEntries(Object.entries(view).filter(([, value]) => value)) as {
    [Name in keyof View]?: Exclude<View[Name], '' | false>
  }

/**
 * Returns the settings of the address, with a function that shows others, where the visitor has scrolled to or from the top
 * of the page, and one that returns the link to them. Both keep the settings that are not changed, but for the page.
 */
export function useAddress<View extends object>(settings: Settings<View>) {
  const [address, setAddress] = useSearchParams()
  const router = useContext(UNSAFE_DataRouterContext)?.router
  const show = (change: Partial<View>, from?: 'top') => {
    const current = router ? newestAddress(router.state) : address
    setAddress(changeAddress(settings, current, change), { preventScrollReset: from !== 'top' })
  }
  const linkTo = (change: Partial<View>) => `?${changeAddress(settings, address, change)}`
  return [readAddress(settings, address), show, linkTo] as const
}

/**
 * Returns the address of the page, also one that is not rendered yet: one click can leave a field, which commits it, and
 * press a button, and a link can be pressed right before a select.
 */
function newestAddress({ location, navigation }: DataRouter['state']): URLSearchParams {
  const next = navigation.location?.pathname === location.pathname ? navigation.location : location
  return new URLSearchParams(next.search)
}
