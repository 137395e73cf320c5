import { render, screen } from "@testing-library/react";
import { itemTypeNames, itemTypes } from "@/shared/lib/itemTypes";
import { TypeTag } from "./TypeTag";

describe("a type tag", () => {
  it("has a name, a letter and a colour of its own for each of the nine types", () => {
    render(itemTypes.map((type) => <TypeTag key={type} type={type} />));

    const tags = itemTypes.map((type) => screen.getByText(itemTypeNames[type]).parentElement);
    expect(new Set(tags.map((tag) => tag?.className)).size).toBe(9);
    expect(new Set(tags.map((tag) => tag?.textContent?.[0])).size).toBe(9);
  });
});
