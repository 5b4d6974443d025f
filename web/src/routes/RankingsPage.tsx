import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PlayersTabs } from '@/entities/player/more/PlayersTabs'
import { RankingsView } from '@/features/rankings/RankingsView'
import { Stack } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { paths } from './paths'

export default function RankingsPage() {
  usePageTitle(t`Rankings`)
  return (
    <Stack gap="6">
      <PageHeading>
        <Trans>Rankings</Trans>
      </PageHeading>
      <PlayersTabs path={paths.rankings} />
      <RankingsView />
    </Stack>
  )
}
