import { Trans } from '@lingui/react/macro'
import { Stack } from '@/ui'
import { SectionHeading } from '@/ui/headings'
import { lazyPart } from '@/ui/lazyPart'
import { WhenNear } from '@/ui/WhenNear'
import { NotLoaded } from './NotLoaded'

const Points = lazyPart(() => import('./points/Points'), NotLoaded)

/** A player's points and how they add up. Their code is fetched when the visitor comes near them. */
export function PlayerPoints({ playerId }: { playerId: string }) {
  return (
    <Stack as="section" gap="0" id="points">
      <SectionHeading>
        <Trans>Points</Trans>
      </SectionHeading>
      <WhenNear minH="16rem">
        <Points playerId={playerId} />
      </WhenNear>
    </Stack>
  )
}
