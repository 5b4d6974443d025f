import { t } from '@lingui/core/macro'
import type { FieldValues } from 'react-hook-form'
import { addTags } from '@/entities/map/tags'
import { Button, Flex, Input, Name, Tag } from '@/ui'
import { CloseIcon } from '@/ui/icons'
import { onEnter } from '@/ui/onEnter'
import { type FieldProps, FormField, useField } from './FormField'

/** The value of a field of tags. */
export interface TagEntries {
  tags: string[]
  /** The text that is not added yet. */
  typed: string
}

type Props<Values extends FieldValues> = FieldProps<Values, TagEntries> & { placeholder?: string }

/** The tags of a map. Enter or the button adds what was typed. */
export function TagsField<Values extends FieldValues>(props: Props<Values>) {
  const { label, help, placeholder } = props
  const { value, change, error, disabled } = useField<Values, TagEntries>(props)
  const { tags, typed } = value
  const add = () => change({ tags: addTags(tags, typed), typed: '' })
  const remove = (tag: string) => change({ tags: tags.filter((other) => other !== tag), typed })
  return (
    <FormField
      label={label}
      help={help}
      error={error}
      disabled={disabled}
      after={
        tags.length > 0 && (
          <Flex as="ul" gap="2" wrap="wrap" aria-label={t`Tags of the map`}>
            {tags.map((tag) => (
              <Tag.Root key={tag} as="li" size="lg" variant="subtle" colorPalette="gray">
                <Tag.Label>
                  <Name>{tag}</Name>
                </Tag.Label>
                <Tag.CloseTrigger
                  type="button"
                  aria-label={t`Remove tag ${tag}`}
                  disabled={disabled}
                  onClick={() => remove(tag)}
                >
                  <CloseIcon size={4} />
                </Tag.CloseTrigger>
              </Tag.Root>
            ))}
          </Flex>
        )
      }
    >
      <Flex gap="2" w="full">
        <Input
          value={typed}
          maxLength={120}
          placeholder={placeholder}
          autoComplete="off"
          enterKeyHint="done"
          bg="bg.panel"
          onChange={(event) => change({ tags, typed: event.target.value })}
          onKeyDown={(event) => onEnter(event, add)}
        />
        <Button variant="outline" onClick={add} disabled={disabled || typed.trim() === ''}>{t`Add`}</Button>
      </Flex>
    </FormField>
  )
}
