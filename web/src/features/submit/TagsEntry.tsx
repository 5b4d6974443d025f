import { Button, chakra, Field, Flex, Input } from '@chakra-ui/react'
import { type KeyboardEvent, useRef } from 'react'
import { Badge } from '@/shared/components/Badge'
import { CloseIcon } from '@/shared/components/icons'
import { addTags } from '@/shared/lib/tags'

interface Props {
  tags: string[]
  // What stands in the box.
  typed: string
  disabled: boolean
  onTags: (tags: string[], typed: string) => void
}

const Remove = chakra('button')

// TagsEntry is a list of tags that grows by typing. Enter or the button adds what was typed.
export function TagsEntry({ tags, typed, disabled, onTags }: Props) {
  const box = useRef<HTMLInputElement>(null)
  const add = () => onTags(addTags(tags, typed), '')

  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    // Enter would send the form.
    event.preventDefault()
    add()
  }

  return (
    <Field.Root disabled={disabled}>
      <Field.Label>Tags</Field.Label>
      <Flex gap="2" w="full">
        <Input
          ref={box}
          value={typed}
          maxLength={120}
          placeholder="city, tricky, long…"
          autoComplete="off"
          enterKeyHint="done"
          bg="bg.panel"
          onChange={(event) => onTags(tags, event.target.value)}
          onKeyDown={key}
        />
        <Button variant="outline" onClick={add} disabled={disabled || typed.trim() === ''}>
          Add
        </Button>
      </Flex>
      <Field.HelperText>Press Enter or Add after each tag. Up to 10 tags of 24 letters.</Field.HelperText>
      {tags.length > 0 && (
        <Flex as="ul" gap="2" wrap="wrap" listStyleType="none" aria-label="Tags of the map">
          {tags.map((tag) => (
            <li key={tag}>
              <Badge colour="brand" large>
                {tag}
                <Remove
                  type="button"
                  aria-label={`Remove tag ${tag}`}
                  cursor="pointer"
                  display="inline-flex"
                  p="1"
                  me="-1.5"
                  disabled={disabled}
                  onClick={() => {
                    // The button goes with its tag, and would take the focus along.
                    box.current?.focus()
                    onTags(
                      tags.filter((other) => other !== tag),
                      typed,
                    )
                  }}
                >
                  <CloseIcon size={4} />
                </Remove>
              </Badge>
            </li>
          ))}
        </Flex>
      )}
    </Field.Root>
  )
}
