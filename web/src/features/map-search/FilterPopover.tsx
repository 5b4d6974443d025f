import { Field, Popover } from '@chakra-ui/react'
import { type ReactElement, useEffect, useState } from 'react'
import { type GameMode, usePopularTagsQuery } from '@/api'
import { addTags } from '@/entities/map/tags'
import { Button, Flex, Input, NativeSelect, Stack, Text } from '@/ui'
import { ChevronDownIcon } from '@/ui/icons'
import { onEnter } from '@/ui/onEnter'
import { WithChakra } from '@/ui/WithChakra'
import { filterKinds, GAME_MODES, noFilters, type SettingsProps } from './searchSettings'

/** The filters under the button of MapFilters. It opens when it is mounted. */
export default function FilterPopover({ settings, onChange, button }: SettingsProps & { button: ReactElement }) {
  return (
    <WithChakra>
      <Popover.Root positioning={{ placement: 'bottom-start', flip: false }} defaultOpen lazyMount>
        <Popover.Trigger asChild>{button}</Popover.Trigger>
        <Popover.Positioner>
          <Popover.Content aria-label="Filters" w="min(22rem, calc(100vw - 2rem))">
            <Popover.Body
              display="flex"
              flexDirection="column"
              gap="4"
              maxH="max(18rem, min(70vh, var(--available-height)))"
              overflowY="auto"
            >
              <Popover.Title fontWeight="bold" textStyle="md">
                Filters
              </Popover.Title>
              <ModeField mode={settings.gameMode} onMode={(gameMode) => onChange({ gameMode })} />
              <AuthorField author={settings.author} onAuthor={(author) => onChange({ author })} />
              <TagField tags={settings.tags} onTags={(tags) => onChange({ tags })} />
              <Button
                variant="outline"
                size="sm"
                onClick={() => onChange(noFilters)}
                disabled={filterKinds(settings) === 0}
              >
                Clear All
              </Button>
            </Popover.Body>
          </Popover.Content>
        </Popover.Positioner>
      </Popover.Root>
    </WithChakra>
  )
}

function ModeField({ mode, onMode }: { mode: string; onMode: (mode: GameMode | '') => void }) {
  return (
    <Field.Root>
      <Field.Label>Game Mode</Field.Label>
      <NativeSelect.Root>
        <NativeSelect.Field
          value={mode}
          onChange={({ currentTarget }) => onMode(GAME_MODES.find((name) => name === currentTarget.value) ?? '')}
        >
          <option value="">All modes</option>
          {GAME_MODES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator>
          <ChevronDownIcon size={4} />
        </NativeSelect.Indicator>
      </NativeSelect.Root>
    </Field.Root>
  )
}

function AuthorField({ author, onAuthor }: { author: string; onAuthor: (author: string) => void }) {
  const [draft, setDraft] = useState(author)
  useEffect(() => setDraft(author), [author])
  const commit = () => {
    if (draft.trim() !== author) onAuthor(draft.trim())
  }
  return (
    <Field.Root>
      <Field.Label>Author</Field.Label>
      <Input
        placeholder="Search by author"
        maxLength={100}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={onEnter(commit)}
      />
    </Field.Root>
  )
}

function TagField({ tags, onTags }: { tags: string[]; onTags: (tags: string[]) => void }) {
  const [draft, setDraft] = useState('')
  const { data } = usePopularTagsQuery()
  const add = () => {
    const next = addTags(tags, draft)
    if (next.length > tags.length) onTags(next)
    setDraft('')
  }
  const popular = data?.data ?? []
  return (
    <Field.Root>
      <Field.Label>Tags</Field.Label>
      <Input
        placeholder="Type a tag and press Enter"
        maxLength={100}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onEnter(add)}
      />
      {popular.length > 0 && (
        <Stack gap="2" mt="2" role="group" aria-label="Popular tags">
          <Text textStyle="xs" color="fg.muted">
            Popular tags
          </Text>
          <Flex gap="1.5" wrap="wrap">
            {popular.map((tag) => {
              const chosen = tags.includes(tag)
              return (
                <Button
                  key={tag}
                  size="xs"
                  rounded="full"
                  variant={chosen ? 'solid' : 'outline'}
                  aria-pressed={chosen}
                  onClick={() => onTags(chosen ? tags.filter((other) => other !== tag) : addTags(tags, tag))}
                >
                  {tag}
                </Button>
              )
            })}
          </Flex>
        </Stack>
      )}
    </Field.Root>
  )
}
