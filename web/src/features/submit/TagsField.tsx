import { Field } from '@chakra-ui/react'
import { useRef } from 'react'
import { addTags, MAX_TAG_LENGTH, MAX_TAGS } from '@/entities/map/tags'
import { Button, Flex, Input, Tag } from '@/ui'
import { CloseIcon } from '@/ui/icons'
import { onEnter } from '@/ui/onEnter'

interface Props {
  tags: string[]
  /** The text that is not added yet. */
  typed: string
  disabled: boolean
  error: string | null
  onTags: (tags: string[], typed: string) => void
}

/** The tags of a map. Enter or the button adds what was typed. */
export function TagsField({ tags, typed, disabled, error, onTags }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const add = () => onTags(addTags(tags, typed), '')
  return (
    <Field.Root disabled={disabled} invalid={error !== null}>
      <Field.Label>Tags</Field.Label>
      <Flex gap="2" w="full">
        <Input
          ref={input}
          value={typed}
          maxLength={120}
          placeholder="city, tricky, long…"
          autoComplete="off"
          enterKeyHint="done"
          bg="bg.panel"
          onChange={(event) => onTags(tags, event.target.value)}
          onKeyDown={onEnter(add)}
        />
        <Button variant="outline" onClick={add} disabled={disabled || typed.trim() === ''}>
          Add
        </Button>
      </Flex>
      <Field.HelperText>
        Press Enter or Add after each tag. Up to {MAX_TAGS} tags of {MAX_TAG_LENGTH} letters.
      </Field.HelperText>
      <Field.ErrorText role="alert">{error}</Field.ErrorText>
      {tags.length > 0 && (
        <Flex as="ul" gap="2" wrap="wrap" aria-label="Tags of the map">
          {tags.map((tag) => (
            <Tag.Root key={tag} as="li" size="lg" variant="subtle" colorPalette="brand">
              <Tag.Label>{tag}</Tag.Label>
              <Tag.CloseTrigger
                type="button"
                aria-label={`Remove tag ${tag}`}
                disabled={disabled}
                onClick={() => {
                  // The button is removed with its tag and would lose the focus.
                  input.current?.focus()
                  onTags(
                    tags.filter((other) => other !== tag),
                    typed,
                  )
                }}
              >
                <CloseIcon size={4} />
              </Tag.CloseTrigger>
            </Tag.Root>
          ))}
        </Flex>
      )}
    </Field.Root>
  )
}
