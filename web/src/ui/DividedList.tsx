import { styled } from 'styled-system/jsx'

/** A list with a line between its items. */
export const DividedList = styled('ul', { base: { '& > li + li': { borderTopWidth: '1px' } } })
