import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Control } from 'react-hook-form'
import { useSearchPlayersQuery } from '@/api'
import type { DecisionRequest } from '@/api/desk'
import { Avatar } from '@/entities/player/Avatar'
import { useField } from '@/forms'
import { Field, Flex, Input, Stack, Text } from '@/ui'
import type { DecisionValues } from './decisionRules'

const MIN_NAME = 2
const FOUND = 5

interface Props {
  control: Control<DecisionValues, unknown, DecisionRequest>
  /** The player who is merged, who is not offered. */
  playerId: string | undefined
}

/** The player into whom another is merged: found by name, chosen from those found. */
export function IntoField({ control, playerId }: Props) {
  const { value, change, error, disabled } = useField<DecisionValues, string>({ control, name: 'intoId' })
  const [name, setName] = useState('')
  const asked = name.trim()
  const query = useSearchPlayersQuery(
    { name: asked, page: 1, limit: FOUND, sortBy: 'name', sortDir: 'asc' },
    { skip: asked.length < MIN_NAME },
  )
  const found = asked.length < MIN_NAME ? undefined : query.currentData?.data.filter(({ _id }) => _id !== playerId)
  return (
    <Stack gap="2">
      <Field.Root disabled={disabled} invalid={error !== null}>
        <Field.Label>{t`Into the player`}</Field.Label>
        <Input type="search" bg="bg.panel" value={name} onChange={(event) => setName(event.target.value)} />
        <Field.HelperText>{t`Type a name, then choose a player.`}</Field.HelperText>
        <Field.ErrorText role="alert">{error}</Field.ErrorText>
      </Field.Root>
      {found?.length === 0 && <Text color="fg.muted">{t`No player has this name.`}</Text>}
      <Stack gap="1" role="radiogroup" aria-label={t`Players with this name`}>
        {found?.map((player) => (
          <Flex as="label" key={player._id} align="center" gap="2" cursor="pointer">
            <input
              type="radio"
              name="intoId"
              checked={value === player._id}
              disabled={disabled}
              onChange={() => change(player._id)}
            />
            <Avatar player={player} size={5} />
            {player.name}
          </Flex>
        ))}
      </Stack>
    </Stack>
  )
}
