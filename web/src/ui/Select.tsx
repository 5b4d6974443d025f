import { i18n, type MessageDescriptor } from '@lingui/core'
import type { ComponentProps } from 'react'
import { NativeSelect } from './basics'
import { ChevronDownIcon } from './icons'

interface Props<Choice extends string> extends Pick<ComponentProps<typeof NativeSelect.Root>, 'w'> {
  small?: boolean
  value: Choice
  /** The choices with their texts, in their order. */
  choices: Record<Choice, string>
  onChoose: (choice: Choice) => void
  autoFocus?: boolean | undefined
}

/** One of a few choices. Its label is around it. */
export function Select<Choice extends string>({
  small = false,
  value,
  choices,
  onChoose,
  autoFocus,
  ...root
}: Props<Choice>) {
  return (
    <NativeSelect.Root size={small ? 'sm' : 'md'} {...root}>
      <NativeSelect.Field
        bg="bg.panel"
        autoFocus={autoFocus}
        value={value}
        onChange={({ currentTarget }) => onChoose(currentTarget.value as Choice)}
      >
        {(Object.entries(choices) as [Choice, string][]).map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </NativeSelect.Field>
      <NativeSelect.Indicator>
        <ChevronDownIcon size={4} />
      </NativeSelect.Indicator>
    </NativeSelect.Root>
  )
}

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
