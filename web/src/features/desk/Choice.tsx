import { Field, NativeSelect } from '@/ui'
import { ChevronDownIcon } from '@/ui/icons'

interface Props {
  label: string
  value: string
  /** The choices with their texts, in their order. */
  choices: Record<string, string>
  onChoose: (value: string) => void
}

/** A filter with a few choices, each of which takes effect at once. */
export function Choice({ label, value, choices, onChoose }: Props) {
  return (
    <Field.Root w={{ base: 'full', sm: '12rem' }}>
      <Field.Label>{label}</Field.Label>
      <NativeSelect.Root>
        <NativeSelect.Field bg="bg.panel" value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
          {Object.entries(choices).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator>
          <ChevronDownIcon size={4} />
        </NativeSelect.Indicator>
      </NativeSelect.Root>
    </Field.Root>
  )
}
