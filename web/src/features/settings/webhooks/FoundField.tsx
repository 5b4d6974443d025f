import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Control } from 'react-hook-form'
import { useSearchMapsQuery, useSearchPlayersQuery } from '@/api'
import { useField } from '@/forms'
import { Button, Field, Flex, Input, Stack, Text } from '@/ui'
import type { Found, WebhookRequest, WebhookValues } from './rules'

const MIN_NAME = 2
const FOUND = 5

interface Props {
  control: Control<WebhookValues, unknown, WebhookRequest>
}

/** Limits a webhook to one map. */
export function MapField({ control }: Props) {
  const [name, setName] = useState('')
  const { asked, skip } = search(name)
  const { currentData } = useSearchMapsQuery(asked, { skip })
  const found = currentData?.data.map(({ _id, name, version }) => ({
    _id,
    name: version > 1 ? t`${name} (version ${version})` : name,
  }))
  return (
    <FoundField
      control={control}
      field="filter.map"
      texts={{ label: t`Map`, all: t`All maps`, none: t`No map has this name.` }}
      name={name}
      onName={setName}
      found={skip ? undefined : found}
    />
  )
}

/** Limits a webhook to one player. */
export function PlayerField({ control }: Props) {
  const [name, setName] = useState('')
  const { asked, skip } = search(name)
  const { currentData } = useSearchPlayersQuery(asked, { skip })
  return (
    <FoundField
      control={control}
      field="filter.player"
      texts={{ label: t`Player`, all: t`All players`, none: t`No player has this name.` }}
      name={name}
      onName={setName}
      found={skip ? undefined : currentData?.data.map(({ _id, name }) => ({ _id, name }))}
    />
  )
}

function search(typed: string) {
  const name = typed.trim()
  const asked = { name, page: 1, limit: FOUND, sortBy: 'name', sortDir: 'asc' } as const
  return { asked, skip: name.length < MIN_NAME }
}

interface FoundProps extends Props {
  field: 'filter.map' | 'filter.player'
  texts: { label: string; all: string; none: string }
  /** What was typed. */
  name: string
  onName: (name: string) => void
  found: Found[] | undefined
}

function FoundField({ control, field, texts, name, onName, found }: FoundProps) {
  const { value, change, error, disabled } = useField<WebhookValues, Found | null>({ control, name: field })
  const choose = (thing: Found) => {
    change(thing)
    onName('')
  }
  return (
    <Stack gap="2">
      <Field.Root disabled={disabled} invalid={error !== null}>
        <Field.Label>{texts.label}</Field.Label>
        <Input
          type="search"
          bg="bg.panel"
          placeholder={value ? value.name : texts.all}
          value={name}
          onChange={({ target }) => onName(target.value)}
        />
        <Field.HelperText>
          <Trans>Type a name to choose one.</Trans>
        </Field.HelperText>
        <Field.ErrorText role="alert">{error}</Field.ErrorText>
      </Field.Root>
      {value && (
        <Flex align="center" gap="3" wrap="wrap">
          <Text fontWeight="semibold">{value.name}</Text>
          <Button size="xs" variant="outline" disabled={disabled} onClick={() => change(null)}>
            {texts.all}
          </Button>
        </Flex>
      )}
      {found?.length === 0 && (
        <Text role="status" color="fg.muted">
          {texts.none}
        </Text>
      )}
      {found && found.length > 0 && (
        <Flex as="ul" direction="column" align="flex-start" gap="1" aria-label={texts.label}>
          {found.map((thing) => (
            <li key={thing._id}>
              <Button size="sm" variant="ghost" disabled={disabled} onClick={() => choose(thing)}>
                {thing.name}
              </Button>
            </li>
          ))}
        </Flex>
      )}
    </Stack>
  )
}
