import type { ComponentProps, ReactNode } from 'react'
import {
  type Control,
  type FieldPath,
  type FieldPathByValue,
  type FieldValues,
  type UseControllerProps,
  useController,
} from 'react-hook-form'
import { type Elements, Field, Input, Textarea } from '@/ui'
import { Select } from '@/ui/Select'
import { cut } from './characters'

/** A field of a form by its name, which is that of the server, and its texts. */
export interface FieldProps<Values extends FieldValues, Value> {
  // biome-ignore lint/suspicious/noExplicitAny: what the schema makes of the values does not matter to a field
  control: Control<Values, unknown, any>
  name: FieldPathByValue<Values, Value>
  label: ReactNode
  help?: ReactNode
}

/** Returns the value of a field and its first error. It is disabled while the form is being sent. */
export function useField<Values extends FieldValues, Value>(
  { control, name }: Pick<FieldProps<Values, Value>, 'control' | 'name'>,
  rules?: UseControllerProps<Values>['rules'],
) {
  const { field, fieldState, formState } = useController({ control, name: name as FieldPath<Values>, rules })
  return {
    value: field.value as Value,
    change: field.onChange as (value: Value) => void,
    error: fieldState.error?.message ?? null,
    disabled: formState.isSubmitting,
  }
}

interface FormFieldProps {
  label: ReactNode
  help?: ReactNode
  error: string | null
  disabled?: boolean
  readOnly?: boolean | undefined
  /** The control, and what follows the texts. */
  children: Elements
  after?: Elements
}

/** A control with its label, its help and its error. */
export function FormField({ label, help, error, disabled, readOnly, children, after }: FormFieldProps) {
  return (
    <Field.Root disabled={disabled} readOnly={readOnly} invalid={error !== null}>
      <Field.Label>{label}</Field.Label>
      {children}
      {help ? <Field.HelperText>{help}</Field.HelperText> : null}
      <Field.ErrorText aria-live="off">{error}</Field.ErrorText>
      {after}
    </Field.Root>
  )
}

type TextProps<Values extends FieldValues, Control> = FieldProps<Values, string> &
  Omit<Control, 'name' | 'value' | 'onChange'>

/** One line of text, of at most maxLength characters. */
export function TextField<Values extends FieldValues>(props: TextProps<Values, ComponentProps<typeof Input>>) {
  const { control, name, label, help, maxLength = Infinity, ...input } = props
  const { value, change, error, disabled } = useField<Values, string>(props)
  return (
    <FormField label={label} help={help} error={error} disabled={disabled}>
      <Input bg="bg.panel" {...input} value={value} onChange={({ target }) => change(cut(target.value, maxLength))} />
    </FormField>
  )
}

/** Several lines of text, of at most maxLength characters. */
export function TextareaField<Values extends FieldValues>(props: TextProps<Values, ComponentProps<typeof Textarea>>) {
  const { control, name, label, help, maxLength = Infinity, ...textarea } = props
  const { value, change, error, disabled } = useField<Values, string>(props)
  return (
    <FormField label={label} help={help} error={error} disabled={disabled}>
      <Textarea
        bg="bg.panel"
        {...textarea}
        value={value}
        onChange={({ target }) => change(cut(target.value, maxLength))}
      />
    </FormField>
  )
}

type SelectProps<Values extends FieldValues, Choice extends string> = FieldProps<Values, Choice> & {
  /** The choices with their texts, in their order. */
  choices: Record<Choice, string>
  onChoose?: (choice: Choice) => void
  autoFocus?: boolean
}

/** One of a few choices. */
export function SelectField<Values extends FieldValues, Choice extends string>(props: SelectProps<Values, Choice>) {
  const { label, help, choices, onChoose, autoFocus } = props
  const { value, change, error, disabled } = useField<Values, Choice>(props)
  return (
    <FormField label={label} help={help} error={error} disabled={disabled}>
      <Select
        autoFocus={autoFocus}
        value={value}
        choices={choices}
        onChoose={(choice) => {
          change(choice)
          onChoose?.(choice)
        }}
      />
    </FormField>
  )
}
