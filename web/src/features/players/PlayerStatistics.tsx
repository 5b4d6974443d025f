import { Trans } from '@lingui/react/macro'
import { Stack } from '@/ui'
import { SectionHeading } from '@/ui/headings'
import { lazyPart } from '@/ui/lazyPart'
import { WhenNear } from '@/ui/WhenNear'
import { NotLoaded } from './NotLoaded'

const Statistics = lazyPart(() => import('./statistics/Statistics'), NotLoaded)

/** What a player has reached. It stands at the end of the profile, and is fetched when the visitor comes near it. */
export function PlayerStatistics({ playerId }: { playerId: string }) {
  return (
    <Stack as="section" gap="0">
      <SectionHeading>
        <Trans>Statistics</Trans>
      </SectionHeading>
      <WhenNear minH="40rem">
        <Statistics playerId={playerId} />
      </WhenNear>
    </Stack>
  )
}
