import { msg, plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ListedMap, useSearchListedMapsQuery } from '@/api/desk'
import { Listing, ListingStatus } from '@/api/Listing'
import { paths } from '@/routes/paths'
import { Box, type Column, DataTable, Link, Name, Stack, Text } from '@/ui'
import { page, setOf, text, useAddress } from '@/ui/address'
import { ExternalLinkIcon } from '@/ui/icons'
import { ButtonLink } from '@/ui/links'
import { EmptyMessage } from '@/ui/messages'
import { NameSearch } from '@/ui/more/NameSearch'
import { NumberedPagination } from '@/ui/more/NumberedPagination'

const PAGE_SIZE = 25

const listedMapsAddress = { name: text(), page }

/** The maps that operators have imported and that wait for a replay. Name and page are in the address. */
export function ListedMaps() {
  const [view, show] = useAddress(listedMapsAddress)
  const { name } = view
  const query = useSearchListedMapsQuery({ ...setOf(view), limit: PAGE_SIZE })
  return (
    <Stack gap="4">
      <NameSearch
        name={name}
        onSearch={(name) => show({ name })}
        label={t`Map name`}
        placeholder={t`Search maps by name`}
        maxLength={100}
      />
      <ListingStatus
        query={query}
        loading={t`Loading maps...`}
        total={(count) => plural(count, { one: '# map', other: '# maps' })}
      />
      <Listing
        query={query}
        pages={{
          Pagination: NumberedPagination,
          page: view.page,
          label: t`Pages of maps`,
          pastEnd: t`This page is past the last map.`,
          onPage: (page) => show({ page }, 'top'),
        }}
        empty={
          name ? (
            <EmptyMessage title={t`No maps found.`} hint={t`The map may have a replay already.`}>
              <ButtonLink to={paths.mapsNamed(name)} variant="outline">{t`Search all maps for it`}</ButtonLink>
            </EmptyMessage>
          ) : (
            <EmptyMessage
              title={t`Every map that is known here has a replay.`}
              hint={t`Operators add the maps that the community knows to this list.`}
            />
          )
        }
      >
        {(maps) => (
          <DataTable
            label={t`Maps without a replay`}
            columns={columns}
            rows={maps}
            idOf={({ _id }) => _id}
            skeletonRows={PAGE_SIZE}
          />
        )}
      </Listing>
    </Stack>
  )
}

const columns: Column<ListedMap>[] = [
  {
    header: msg`Map`,
    width: '75%',
    cell: ({ name, authors, page }) => (
      <Box minW="9rem">
        <Text fontWeight="semibold">
          <Name>{name}</Name>
        </Text>
        <Text hideFrom="md" textStyle="xs" color="fg.muted">
          <Name>{authors.join(', ')}</Name>
        </Text>
        <Box hideFrom="md" textStyle="xs">
          <OtherSite address={page} />
        </Box>
      </Box>
    ),
  },
  { header: msg`Authors`, width: '75%', hideBelow: 'md', cell: ({ authors }) => <Name>{authors.join(', ')}</Name> },
  { header: msg`Page`, width: '6rem', hideBelow: 'md', cell: ({ page }) => <OtherSite address={page} /> },
  {
    header: msg`Replay`,
    width: '8rem',
    align: 'end',
    cell: ({ name }) => (
      <ButtonLink to={paths.mapSubmit} size="sm" variant="outline" aria-label={t`Submit its replay: ${name}`}>
        <Trans>Submit</Trans>
      </ButtonLink>
    ),
  },
]

/** A link to a page that the site does not vouch for; nothing for what is no address over https. */
function OtherSite({ address }: { address: string | null }) {
  if (!address || !URL.canParse(address)) return null
  const { protocol, host } = new URL(address)
  if (protocol !== 'https:') return null
  return (
    <Link href={address} target="_blank" rel="noopener noreferrer nofollow ugc" colorPalette="brand">
      <span>{host}</span> <ExternalLinkIcon size={4} />
    </Link>
  )
}
