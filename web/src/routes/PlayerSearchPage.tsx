import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PlayersTabs } from '@/entities/player/more/PlayersTabs'
import { PlayerSearch } from '@/features/players/PlayerSearch'
import { Box } from '@/ui'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { paths } from './paths'

export default function PlayerSearchPage() {
  usePageTitle(t`Player Search`)
  return (
    <>
      <PageHeading hint={t`Everybody who races and builds here.`}>
        <Trans>Player Search</Trans>
      </PageHeading>
      <Box mb="6">
        <PlayersTabs path={paths.playerSearch} />
      </Box>
      <PlayerSearch />
    </>
  )
}
