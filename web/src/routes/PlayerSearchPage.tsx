import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PlayersHeading } from '@/entities/player/more/PlayersTabs'
import { PlayerSearch } from '@/features/players/PlayerSearch'
import { Stack } from '@/ui'
import { usePageTitle } from '@/ui/headings'
import { paths } from './paths'

export default function PlayerSearchPage() {
  usePageTitle(t`Player Search`)
  return (
    <Stack gap="6">
      <PlayersHeading path={paths.playerSearch} hint={t`Everybody who races and builds here.`}>
        <Trans>Player Search</Trans>
      </PlayersHeading>
      <PlayerSearch />
    </Stack>
  )
}
