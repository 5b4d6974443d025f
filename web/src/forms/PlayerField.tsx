import { t } from '@lingui/core/macro'
import type { FieldValues } from 'react-hook-form'
import { useSearchPlayersQuery } from '@/api'
import { Avatar } from '@/entities/player/Avatar'
import { Name } from '@/ui'
import type { FieldProps } from './FormField'
import { LOOKUP_LIMIT, type LookupEntry, LookupField, useLookupName } from './LookupField'

type Props<Values extends FieldValues> = FieldProps<Values, LookupEntry> & {
  allText?: string
  /** The player who is not offered. */
  exceptId?: string | undefined
}

/** A player who is found by the name. */
export function PlayerField<Values extends FieldValues>({ exceptId, ...props }: Props<Values>) {
  const name = useLookupName(props)
  const { currentData, error, refetch } = useSearchPlayersQuery(
    { name: name ?? '', page: 1, limit: LOOKUP_LIMIT, sortBy: 'name', sortDir: 'asc' },
    { skip: name === null },
  )
  const found = currentData?.data.filter(({ _id }) => _id !== exceptId)
  return (
    <LookupField
      {...props}
      search={name === null ? null : { found, error, refetch }}
      none={t`No player has this name.`}
    >
      {(player) => (
        <>
          <Avatar player={player} size={5} /> <Name>{player.name}</Name>
        </>
      )}
    </LookupField>
  )
}
