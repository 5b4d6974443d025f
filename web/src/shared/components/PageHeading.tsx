import { Heading, type HeadingProps } from '@chakra-ui/react'

// PageHeading is the one first-level heading of a page.
export function PageHeading(props: HeadingProps) {
  return <Heading as="h1" textStyle={{ base: '3xl', md: '4xl' }} lineHeight="1.15" {...props} />
}
