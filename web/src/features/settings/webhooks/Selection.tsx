import type { WebhookFilter } from '@/api/settings'
import { ModeBadge } from '@/entities/map/ModeBadge'
import { MapLink } from '@/entities/map/more/MapLink'
import { paths } from '@/routes/paths'
import { Badge, Flex, Name } from '@/ui'
import { PageLink } from '@/ui/links'
import { typeTexts } from './texts'

/** What a webhook sends: the types of events, and the map, the player and the mode that it is limited to. */
export function Selection({ filter: { types, map, player, mode } }: { filter: WebhookFilter }) {
  const texts = typeTexts()
  return (
    <Flex wrap="wrap" align="center" columnGap="2" rowGap="1" textStyle="sm">
      {types.map((type) => (
        <Badge key={type}>{texts[type]?.[0] ?? type}</Badge>
      ))}
      {mode && <ModeBadge mode={mode} />}
      {map && <MapLink map={map} />}
      {player && (
        <PageLink to={paths.player(player._id)}>
          <Name>{player.name}</Name>
        </PageLink>
      )}
    </Flex>
  )
}
