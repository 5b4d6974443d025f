import { t } from '@lingui/core/macro'
import { PlayersHeading } from '@/entities/player/more/PlayersTabs'
import { RankingsView } from '@/features/rankings/RankingsView'
import { Stack } from '@/ui'
import { usePageTitle } from '@/ui/headings'
import { paths } from './paths'

export default function RankingsPage() {
  usePageTitle(t`Rankings`)
  return (
    <Stack gap="6">
      <PlayersHeading path={paths.rankings}>{t`Rankings`}</PlayersHeading>
      <RankingsView />
    </Stack>
  )
}
