import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ListedMaps } from '@/features/map-search/ListedMaps'
import { PageHeading, usePageTitle } from '@/ui/headings'
import { BackLink } from '@/ui/links'
import { paths } from './paths'

export default function ListedMapsPage() {
  usePageTitle(t`Maps without a replay`)
  return (
    <>
      <BackLink to={paths.mapSearch}>
        <Trans>Map Search</Trans>
      </BackLink>
      <PageHeading hint={t`Maps of the game that still need a replay from their author or a validator.`}>
        <Trans>Maps without a replay</Trans>
      </PageHeading>
      <ListedMaps />
    </>
  )
}
