import { t } from '@lingui/core/macro'
import type { Control } from 'react-hook-form'
import { useSearchMapsQuery } from '@/api'
import { LOOKUP_LIMIT, LookupField, useLookupName } from '@/forms'
import { isolated } from '@/ui/format'
import type { WebhookRequest, WebhookValues } from './rules'

/** Limits a webhook to one map. */
export function MapField({ control }: { control: Control<WebhookValues, unknown, WebhookRequest> }) {
  const field = { control, name: 'filter.map' } as const
  const name = useLookupName(field)
  const { currentData, error, refetch } = useSearchMapsQuery(
    { name: name ?? '', page: 1, limit: LOOKUP_LIMIT, sortBy: 'name', sortDir: 'asc' },
    { skip: name === null },
  )
  const found = currentData?.data.map((map) => {
    const { version } = map
    const name = isolated(map.name)
    return { _id: map._id, name: version > 1 ? t`${name} (version ${version})` : map.name }
  })
  return (
    <LookupField
      {...field}
      label={t`Map`}
      help={t`Type a name to choose one.`}
      allText={t`All maps`}
      none={t`No map has this name.`}
      search={name === null ? null : { found, error, refetch }}
    />
  )
}
