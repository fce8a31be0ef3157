"""The API's page from the sidecar package: our own files only, under the policy as it is."""

from urllib.parse import urlsplit

from playwright.sync_api import expect


def test_the_docs_come_from_here_and_run_under_the_policy(page, stack) -> None:
    urls: list[str] = []
    page.on("request", lambda request: urls.append(request.url))
    answer = page.goto("/api/docs/")
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'self'" in policy
    expect(
        page.locator("#operations-checks-submit_check, [id*=submit_check]").first
    ).to_be_visible()
    page.locator("[id*=link_check]").first.click()
    expect(page.get_by_text("Create a signed link").first).to_be_visible()
    hosts = {urlsplit(url).netloc for url in urls if not url.startswith("data:")}
    assert hosts == {urlsplit(stack.url).netloc}
    assert page.locator("script:not([src])").count() == 0
    assert any("script=" in url for url in urls)  # the split view: its script is a file
    # The `page` fixture now demands that the console stayed silent.
