import { MapSearch } from '@/features/map-search/MapSearch'
import { PageHeading, usePageTitle } from '@/ui/headings'

export default function MapSearchPage() {
  usePageTitle('Map Search')
  return (
    <>
      <PageHeading hint="Every parkour map that has been finished. Pick one and see who was fastest.">
        Map Search
      </PageHeading>
      <MapSearch />
    </>
  )
}
