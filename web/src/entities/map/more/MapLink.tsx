import type { ComponentProps } from 'react'
import type { MapRef } from '@/api'
import { paths } from '@/routes/paths'
import { Name } from '@/ui'
import { PageLink } from '@/ui/links'

/** The name of a map, which leads to its leaderboard. */
export const MapLink = ({ map, ...props }: { map: MapRef } & Omit<ComponentProps<typeof PageLink>, 'to'>) => (
  <PageLink to={paths.leaderboard(map._id)} {...props}>
    <Name>{map.name}</Name>
  </PageLink>
)
