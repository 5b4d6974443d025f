import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { usePopularTagsQuery } from '@/api'
import { GAME_MODES } from '@/entities/map/modes'
import { addTags } from '@/entities/map/tags'
import { useSession } from '@/store/hooks'
import { Button, Field, Flex, Input, Name, Stack, Text } from '@/ui'
import { choicesOf, namedChoices } from '@/ui/choices'
import { FilterSelect } from '@/ui/more/FilterSelect'
import { onEnter } from '@/ui/onEnter'
import { useResetState } from '@/ui/useResetState'
import { PROGRESS, type SettingsProps, withoutOwn } from './queries'

/** The fields of all filters but the name. */
export function FilterFields({ settings, onChange }: SettingsProps) {
  const user = useSession()
  return (
    <>
      <FilterSelect
        label={t`Game Mode`}
        value={settings.gameMode}
        choices={{ '': t`All modes`, ...namedChoices(GAME_MODES) }}
        onChoose={(gameMode) => onChange({ gameMode })}
      />
      {user && (
        <FilterSelect
          label={t`My Progress`}
          value={settings.progress}
          choices={{ '': t`All maps`, ...choicesOf(PROGRESS) }}
          // Maps that were not played cannot be sorted by the own times.
          onChoose={(progress) => onChange({ ...(progress === 'unplayed' && withoutOwn(settings)), progress })}
        />
      )}
      <AuthorField author={settings.author} onAuthor={(author) => onChange({ author })} />
      <TagField tags={settings.tags} onTags={(tags) => onChange({ tags })} />
    </>
  )
}

function AuthorField({ author, onAuthor }: { author: string; onAuthor: (author: string) => void }) {
  const [draft, setDraft] = useResetState(author)
  const commit = () => {
    if (draft.trim() !== author) onAuthor(draft.trim())
  }
  return (
    <Field.Root>
      <Field.Label>{t`Author`}</Field.Label>
      <Input
        placeholder={t`Search by author`}
        maxLength={100}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => onEnter(event, commit)}
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
      <Field.Label>{t`Tags`}</Field.Label>
      <Input
        placeholder={t`Type a tag and press Enter`}
        maxLength={100}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => onEnter(event, add)}
      />
      {popular.length > 0 && (
        <Stack gap="2" mt="2" role="group" aria-label={t`Popular tags`}>
          <Text textStyle="xs" color="fg.muted">{t`Popular tags`}</Text>
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
                  <Name>{tag}</Name>
                </Button>
              )
            })}
          </Flex>
        </Stack>
      )}
    </Field.Root>
  )
}
