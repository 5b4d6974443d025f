import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PlayerSearch } from '@/features/players/PlayerSearch'
import { PageHeading, usePageTitle } from '@/ui/headings'

export default function PlayerSearchPage() {
  usePageTitle(t`Player Search`)
  return (
    <>
      <PageHeading hint={t`Everybody who races and builds here.`}>
        <Trans>Player Search</Trans>
      </PageHeading>
      <PlayerSearch />
    </>
  )
}
