import type { ComponentProps } from 'react'
import { NativeSelect } from './basics'
import { ChevronDownIcon } from './icons'

interface Props<Choice extends string> extends Pick<ComponentProps<typeof NativeSelect.Root>, 'w' | 'minW'> {
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
