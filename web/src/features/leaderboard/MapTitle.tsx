import { Trans } from '@lingui/react/macro'
import type { ParkourMap } from '@/api'
import { FollowMap } from '@/entities/follow/Follow'
import { PlayerName } from '@/entities/player/PlayerName'
import { paths } from '@/routes/paths'
import { type Elements, HStack, Name } from '@/ui'
import { PageHeading } from '@/ui/headings'
import { UploadIcon } from '@/ui/icons'
import { LazyParts, lazyPart } from '@/ui/lazyPart'
import { ButtonLink } from '@/ui/links'

// Few maps are unranked. Without its code nothing is shown.
const UnrankedNotice = lazyPart(() => import('./UnrankedNotice'))

/** The name of a map with its author and buttons. */
export function MapTitle({ map, children }: { map: ParkourMap; children?: Elements }) {
  return (
    <>
      <PageHeading length={map.name.length}>
        <Name>{map.name}</Name>
      </PageHeading>
      <HStack mt="1.5" gap="2" color="fg.muted" css={{ '& > span': { display: 'contents' } }}>
        <Trans>
          by <PlayerName player={map.author} />
        </Trans>
      </HStack>
      {map.unranked && (
        <LazyParts>
          <UnrankedNotice reason={map.unrankedReason} />
        </LazyParts>
      )}
      <HStack mt="4" gap="2" flexWrap="wrap">
        <FollowMap map={map} />
        <ButtonLink to={paths.recordSubmitFor(map._id)}>
          <UploadIcon /> <Trans>Submit Record</Trans>
        </ButtonLink>
        {children}
      </HStack>
    </>
  )
}
