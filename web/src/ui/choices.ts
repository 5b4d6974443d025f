import { i18n, type MessageDescriptor } from '@lingui/core'

/** Returns choices with their texts in the active locale: all, or those with names in the order of these. */
export function choicesOf<Name extends string>(
  texts: Readonly<Record<NoInfer<Name>, MessageDescriptor>>,
  names: readonly Name[],
): Record<Name, string>
export function choicesOf<Name extends string>(texts: Readonly<Record<Name, MessageDescriptor>>): Record<Name, string>
export function choicesOf<Name extends string>(
  texts: Readonly<Record<Name, MessageDescriptor>>,
  names: readonly Name[] = Object.keys(texts) as Name[],
): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, i18n._(texts[name])])) as Record<Name, string>
}

/** Returns choices whose texts are their names. */
export const namedChoices = <Choice extends string>(names: Iterable<Choice>) =>
  Object.fromEntries(Array.from(names, (name) => [name, name])) as unknown as Record<Choice, string>
