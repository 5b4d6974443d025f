import { useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Box, css, Flex, Stack, Text } from '@/ui'
import { type FieldProps, useField } from './FormField'

type Props<Values extends FieldValues, Choice extends string> = FieldProps<Values, Choice[]> & {
  /** The choices in their order, each with its name and what it means. */
  choices: Record<Choice, [name: string, text: string]>
}

/** Any number of a few choices. */
export function ChecksField<Values extends FieldValues, Choice extends string>(props: Props<Values, Choice>) {
  const { label, help, choices } = props
  const { value, change, error, disabled } = useField<Values, Choice[]>(props)
  const id = useId()
  const errorId = `${id}error`
  const helpId = `${id}help`
  const described = [error && errorId, help && helpId].filter(Boolean).join(' ')
  const offered = Object.entries(choices) as [Choice, [string, string]][]
  return (
    <Stack as="fieldset" gap="2" aria-describedby={described || undefined}>
      <Box as="legend" textStyle="sm" fontWeight="medium" mb="2">
        {label}
      </Box>
      {offered.map(([choice, [name, text]]) => (
        <Flex as="label" key={choice} gap="2.5">
          <input
            type="checkbox"
            className={css({ mt: '3px' })}
            checked={value.includes(choice)}
            disabled={disabled}
            aria-invalid={error !== null || undefined}
            onChange={({ target }) =>
              change(target.checked ? [...value, choice] : value.filter((other) => other !== choice))
            }
          />
          <span>
            <span>{name}</span>{' '}
            <Text as="span" display="block" textStyle="sm" color="fg.muted">
              {text}
            </Text>
          </span>
        </Flex>
      ))}
      {help ? (
        <Text id={helpId} textStyle="sm" color="fg.muted">
          {help}
        </Text>
      ) : null}
      {error && (
        <Text id={errorId} color="fg.error" textStyle="sm">
          {error}
        </Text>
      )}
    </Stack>
  )
}
