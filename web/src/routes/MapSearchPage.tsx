import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { MapSearch } from '@/features/map-search/MapSearch'
import { PageHeading, usePageTitle } from '@/ui/headings'

export default function MapSearchPage() {
  usePageTitle(t`Map Search`)
  return (
    <>
      <PageHeading hint={t`Every parkour map that has been finished. Pick one and see who was fastest.`}>
        <Trans>Map Search</Trans>
      </PageHeading>
      <MapSearch />
    </>
  )
}
