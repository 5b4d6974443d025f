import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PlayersHeading } from '@/entities/player/more/PlayersTabs'
import { PlayerSearch } from '@/features/players/PlayerSearch'
import { Stack, Text } from '@/ui'
import { usePageTitle } from '@/ui/headings'
import { paths } from './paths'

export default function PlayerSearchPage() {
  usePageTitle(t`Player Search`)
  return (
    <Stack gap="4">
      <div>
        <PlayersHeading path={paths.playerSearch}>
          <Trans>Player Search</Trans>
        </PlayersHeading>
        <Text color="fg.muted">
          <Trans>Everybody who races and builds here.</Trans>
        </Text>
      </div>
      <PlayerSearch />
    </Stack>
  )
}
