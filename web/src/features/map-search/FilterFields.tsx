import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { type GameMode, type ProgressFilter, usePopularTagsQuery } from '@/api'
import { GAME_MODES } from '@/entities/map/modes'
import { addTags } from '@/entities/map/tags'
import { useSession } from '@/store/hooks'
import { Button, Field, Flex, Input, NativeSelect, Stack, Text } from '@/ui'
import { ChevronDownIcon } from '@/ui/icons'
import { onEnter } from '@/ui/onEnter'
import { useResetState } from '@/ui/useResetState'
import { PROGRESS, type SettingsProps, withoutOwn } from './searchSettings'

/** The fields of all filters but the name. */
export function FilterFields({ settings, onChange }: SettingsProps) {
  const user = useSession()
  return (
    <>
      <ModeField mode={settings.gameMode} onMode={(gameMode) => onChange({ gameMode })} />
      {user && (
        <ProgressField
          progress={settings.progress}
          // Maps that were not played cannot be sorted by the own times.
          onProgress={(progress) => onChange({ ...(progress === 'unplayed' && withoutOwn(settings)), progress })}
        />
      )}
      <AuthorField author={settings.author} onAuthor={(author) => onChange({ author })} />
      <TagField tags={settings.tags} onTags={(tags) => onChange({ tags })} />
    </>
  )
}

function ModeField({ mode, onMode }: { mode: string; onMode: (mode: GameMode | '') => void }) {
  return (
    <Field.Root>
      <Field.Label>
        <Trans>Game Mode</Trans>
      </Field.Label>
      <NativeSelect.Root>
        <NativeSelect.Field
          value={mode}
          onChange={({ currentTarget }) => onMode(GAME_MODES.find((name) => name === currentTarget.value) ?? '')}
        >
          <option value="">
            <Trans>All modes</Trans>
          </option>
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

interface ProgressProps {
  progress: string
  onProgress: (progress: ProgressFilter | '') => void
}

/** Where the player who is logged in stands on the maps. */
function ProgressField({ progress, onProgress }: ProgressProps) {
  return (
    <Field.Root>
      <Field.Label>
        <Trans>My Progress</Trans>
      </Field.Label>
      <NativeSelect.Root>
        <NativeSelect.Field
          value={progress}
          onChange={({ currentTarget }) =>
            onProgress(PROGRESS.find(({ value }) => value === currentTarget.value)?.value ?? '')
          }
        >
          <option value="">
            <Trans>All maps</Trans>
          </option>
          {PROGRESS.map(({ value, label }) => (
            <option key={value} value={value}>
              {i18n._(label)}
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

function AuthorField({ author, onAuthor }: { author: string; onAuthor: (author: string) => void }) {
  const [draft, setDraft] = useResetState(author)
  const commit = () => {
    if (draft.trim() !== author) onAuthor(draft.trim())
  }
  return (
    <Field.Root>
      <Field.Label>
        <Trans>Author</Trans>
      </Field.Label>
      <Input
        placeholder={t`Search by author`}
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
      <Field.Label>
        <Trans>Tags</Trans>
      </Field.Label>
      <Input
        placeholder={t`Type a tag and press Enter`}
        maxLength={100}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onEnter(add)}
      />
      {popular.length > 0 && (
        <Stack gap="2" mt="2" role="group" aria-label={t`Popular tags`}>
          <Text textStyle="xs" color="fg.muted">
            <Trans>Popular tags</Trans>
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
