import type { ComponentProps } from 'react'
import { Select } from '../Select'
import { Field } from './field'

type Props<Choice extends string> = Omit<ComponentProps<typeof Select<Choice>>, 'small' | 'w'> &
  Pick<ComponentProps<typeof Field.Root>, 'w' | 'maxW'> & { label: string }

/** A filter with a few choices, each of which takes effect at once. */
export function FilterSelect<Choice extends string>({ label, w, maxW = 'full', ...select }: Props<Choice>) {
  return (
    <Field.Root w={w} maxW={maxW}>
      <Field.Label>{label}</Field.Label>
      <Select {...select} />
    </Field.Root>
  )
}
